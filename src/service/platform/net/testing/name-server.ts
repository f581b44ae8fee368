import { createSocket, type RemoteInfo } from 'node:dgram'

const headerBytes = 12
/** the name points to the question's; type A, class IN, 60 s, four bytes */
const answerHead = Buffer.from([0xc0, headerBytes, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4])
const typeA = 1

/** For tests: a name server on a real port. It answers known names, and ignores all others. */
export class NameServer {
  /** addresses (IPv4) by name; null: there is no such name */
  readonly names = new Map<string, string | null>()
  /** names that were looked up but not answered */
  readonly unanswered = new Set<string>()
  readonly #socket = createSocket('udp4').on('message', (message, from) => this.#answer(message, from))

  /** @returns `127.0.0.1:port`, for `resolveByDns` */
  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#socket.bind(0, '127.0.0.1', resolve))
    return `127.0.0.1:${this.#socket.address().port}`
  }

  close(): void {
    this.#socket.close()
  }

  #answer(message: Buffer, from: RemoteInfo): void {
    const labels: string[] = []
    let at = headerBytes
    for (let length = message.readUInt8(at); length > 0; length = message.readUInt8(at)) {
      labels.push(message.toString('latin1', at + 1, at + 1 + length))
      at += length + 1
    }
    const name = labels.join('.').toLowerCase()
    const address = this.names.get(name)
    if (address === undefined) return void this.unanswered.add(name)
    const isFound = address !== null && message.readUInt16BE(at + 1) === typeA
    const answer = Buffer.from(message.subarray(0, at + 5))
    answer.writeUInt16BE(address === null ? 0x8183 : 0x8180, 2) // "no such name", or no error
    answer.writeUInt16BE(isFound ? 1 : 0, 6)
    answer.fill(0, 8, headerBytes) // without the client's EDNS record
    const found = isFound ? [answerHead, Buffer.from(address.split('.').map(Number))] : []
    this.#socket.send(Buffer.concat([answer, ...found]), from.port, from.address)
  }
}
