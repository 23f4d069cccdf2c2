import Glibc

/// Makes sure that descriptors 0, 1 and 2 are taken, whoever started the process without them.
///
/// Else the store's lock or a client would get one of their numbers, and with it what the log writes.
package enum StandardDescriptors {
  /// Opens /dev/null for each that is closed.
  package static func fill() {
    while true {
      let descriptor = open("/dev/null", O_RDWR)
      if descriptor > STDERR_FILENO { close(descriptor) }
      // Numbers are given out from the lowest: a higher one means that those three are taken.
      if descriptor < 0 || descriptor > STDERR_FILENO { return }
    }
  }
}
