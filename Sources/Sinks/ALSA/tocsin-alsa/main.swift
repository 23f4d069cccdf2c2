import ALSASink
import SinkKit

SinkHost.run(ALSASink.self)
