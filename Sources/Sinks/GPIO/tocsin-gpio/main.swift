import GPIOSink
import SinkKit

SinkHost.run(GPIOSink.self)
