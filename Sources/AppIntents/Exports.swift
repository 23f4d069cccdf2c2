@_exported public import TocsinResources
