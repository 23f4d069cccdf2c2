import ConsoleSink
import SinkKit

SinkHost.run(ConsoleSink.self)
