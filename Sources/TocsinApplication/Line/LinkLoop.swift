import Glibc
import TocsinClient
import TocsinModel
import TocsinService

/// The line's own thread: does what was decided, and waits in poll(2) for what comes.
final class LinkLoop {
  /// How many lines are taken in before what follows from them is done.
  private static let turn = 256

  private let core: LinkCore
  private let bell: Bell
  private var connection: Connection?
  private var output = LineOutput()
  private var service: EmbeddedService?
  /// A service that is being started; starting one blocks.
  private var starting: Promise<Result<EmbeddedService, LinkObstacle>>?
  /// Whether lines may have been read that were not taken in yet.
  private var hasMore = false
  private var isOver = false

  init(_ core: LinkCore, _ bell: Bell) {
    self.core = core
    self.bell = bell
  }

  /// Runs until the program leaves.
  func run() {
    core.begin()
    while !isOver {
      let (effects, deadline) = core.take()
      for effect in effects { perform(effect) }
      flush()
      if effects.isEmpty { wait(until: deadline) }
    }
  }

  // MARK: - Waiting

  private func wait(until deadline: LinkMoment?) {
    var entries = [pollfd(fd: bell.descriptor, events: Int16(POLLIN), revents: 0)]
    if let connection {
      let events = output.isEmpty ? POLLIN : POLLIN | POLLOUT
      entries.append(pollfd(fd: connection.fileDescriptor, events: Int16(events), revents: 0))
    }
    let limit = hasMore ? 0 : Self.milliseconds(until: deadline)
    guard poll(&entries, nfds_t(entries.count), limit) > 0 || hasMore else { return }
    if entries[0].revents != 0 {
      bell.silence()
      takeStarted()
    }
    if hasMore || (entries.count > 1 && entries[1].revents != 0) { read() }
  }

  /// What is left, as poll(2) takes it: rounded up, so that it is due then.
  private static func milliseconds(until deadline: LinkMoment?) -> Int32 {
    guard let deadline else { return -1 }
    return Int32(clamping: max(0, (deadline - monotonicNow() + 999) / 1_000))
  }

  private func read() {
    hasMore = false
    guard let connection else { return }
    do {
      for _ in 0..<Self.turn {
        guard let incoming = try connection.receive() else { return }
        switch incoming {
        case .reply(let reply): core.post(.reply(reply))
        case .application(let message): core.post(.message(message))
        case .event: break
        }
      }
      hasMore = true
    } catch {
      disconnect()
      core.post(.lost("\(error)"))
    }
  }

  private func flush() {
    if let connection { output.write(to: connection.fileDescriptor) }
  }

  // MARK: - Doing

  private func perform(_ effect: LinkEffect) {
    switch effect {
    case .reach(.socket): reachSocket()
    case .reach(.own): reachOwn()
    case .send(let request, let body): send(request, body)
    case .disconnect: disconnect()
    case .finish(let call, let answer): core.fulfil(call, answer)
    case .admitAlarms(let reader, let alarms):
      if let reader = core.admit(ofAlarms: reader), let alarms { reader.yield(alarms) }
    case .admitAccess(let reader, let access):
      if let reader = core.admit(ofAccess: reader), let access { reader.yield(access) }
    case .alarms(let alarms): for reader in core.alarmReaders { reader.yield(alarms) }
    case .access(let access): for reader in core.accessReaders { reader.yield(access) }
    case .run(let intent): IntentRun.start(intent, core)
    case .end: end()
    }
  }

  private func send(_ request: String, _ body: Request.Body) {
    // The connection may have broken since that was decided: on the next one it would come before the name.
    guard connection != nil else { return }
    guard let line = try? JSONLine.encode(Request(id: request, body)) else {
      let error = ServiceError(.invalid, "a number in the request is not finite")
      return core.post(.unsendable(request: request, error))
    }
    guard line.count <= JSONLine.limit else {
      let error = ClientError.tooLarge(bytes: line.count)
      return core.post(.unsendable(request: request, ServiceError(.tooLarge, "\(error)")))
    }
    output.append(line)
  }

  private func disconnect() {
    flush()
    connection?.close()
    connection = nil
    output = LineOutput()
    hasMore = false
    core.lead(to: service, nil)
  }

  private func end() {
    isOver = true
    // Nobody would end one that is just being started.
    if case .success(let late)? = starting?.wait() { service = late }
    service?.stop()
    core.lead(to: nil, nil)
    core.finishReaders()
    core.endThread()
  }

  // MARK: - Reaching a service

  private func reachSocket() {
    if case .nowhere(let reason) = core.door.place {
      return core.post(.unreachable(LinkObstacle(.lasting, reason)))
    }
    switch core.door.connect() {
    case .success(let connection): adopt(connection, .socket)
    case .failure(let obstacle): core.post(.unreachable(obstacle))
    }
  }

  private func adopt(_ connection: Connection, _ way: LinkWay) {
    self.connection = connection
    output = LineOutput()
    core.lead(to: service, connection.path)
    core.post(.reached(way))
  }

  private func reachOwn() {
    if let service { return connect(to: service) }
    guard starting == nil else { return }
    let promise = Promise<Result<EmbeddedService, LinkObstacle>>()
    let (door, bell) = (core.door, bell)
    let hasStarted = DetachedThread.start {
      promise.fulfil(door.serve())
      bell.ring()
    }
    guard hasStarted else {
      return core.post(.unreachable(LinkObstacle(.passing, "no thread is left for a service")))
    }
    starting = promise
  }

  private func takeStarted() {
    guard let result = starting?.wait(until: 0) else { return }
    starting = nil
    switch result {
    case .success(let service):
      self.service = service
      adopt(Connection(adopting: service.connection, path: Self.here), .own)
    case .failure(let obstacle): core.post(.unreachable(obstacle))
    }
  }

  private func connect(to service: EmbeddedService) {
    do {
      adopt(Connection(adopting: try service.connect(), path: Self.here), .own)
    } catch {
      core.post(.unreachable(LinkObstacle(.passing, "\(error)")))
    }
  }

  /// What messages call the service in this process.
  static let here = "the service in this process"
}
