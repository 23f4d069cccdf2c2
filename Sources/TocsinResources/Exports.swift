// Locales are part of a text's name, so whoever has the one has the other.
@_exported public import Foundation
