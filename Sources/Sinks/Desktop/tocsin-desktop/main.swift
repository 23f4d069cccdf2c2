import DesktopSink
import SinkKit

SinkHost.run(DesktopSink.self, about: DesktopSink.about)
