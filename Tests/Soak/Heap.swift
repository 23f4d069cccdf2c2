import Glibc

/// Bytes of this process that were allocated and not given back, in all arenas; nil if nobody can tell.
///
/// Private memory alone hides what leaks: now and then the service gives whole pages back.
func bytesInUse() -> Int? {
  var buffer: UnsafeMutablePointer<CChar>?
  var size = 0
  guard let symbol = dlsym(nil, "malloc_info"), let stream = open_memstream(&buffer, &size) else {
    return nil
  }
  // Safe because the symbol is that function, as malloc.h declares it.
  let result = unsafeBitCast(symbol, to: MallocInfo.self)(0, stream)
  fclose(stream)
  defer { free(buffer) }
  guard result == 0, let text = buffer else { return nil }
  // The totals of all arenas come last.
  let lines = String(cString: text).split(separator: "\n")
  func total(_ start: String) -> Int? {
    let line = lines.last { $0.hasPrefix(start) }
    return line?.split(separator: "size=\"").last?.split(separator: "\"").first.flatMap { Int($0) }
  }
  guard let all = total("<system type=\"current\""), let free = total("<total type=\"rest\""),
    let fast = total("<total type=\"fast\""), let mapped = total("<total type=\"mmap\"")
  else { return nil }
  return all + mapped - free - fast
}

// Glibc's module does not show malloc.h.
private typealias MallocInfo = @convention(c) (Int32, UnsafeMutablePointer<FILE>) -> Int32
