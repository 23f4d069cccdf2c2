// One `import SinkKit` is all a sink needs: presentations, intents and instants come with it.
@_exported public import TocsinModel
@_exported public import TocsinTime
