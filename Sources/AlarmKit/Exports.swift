// One `import AlarmKit` is all a program needs: dates, identities and the words of its neighbours.
@_exported public import ActivityKit
@_exported public import Foundation
@_exported public import TocsinResources
