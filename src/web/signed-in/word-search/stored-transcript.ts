/** A transcript as it is stored to be searched: as read and corrected on this device, with place and time of each word. */
export type StoredTranscript = {
  name: string
  /** all words, each followed by one separator; a line break ends a turn */
  text: string
  /** where each word begins in `text`, and last where the text ends; UTF-16 units */
  offsets: Uint32Array
  /** seconds */
  starts: Float64Array
  /** the service's number of each word, which links use; of the word before for one that was typed on this device */
  numbers: Uint32Array
}

/** `lengths` are UTF-16 units of each word without its separator; `starts` milliseconds, both lists of distances. */
type StoredForm = { format: 1; name: string; text: string; lengths: number[]; starts: number[]; numbers: number[] }

/** Only what this device has sealed itself comes here, so that a reader of the contract would weigh more than it is worth. */
function readStored(json: string): StoredForm {
  const stored = JSON.parse(json) as StoredForm
  const { format, text, lengths, starts, numbers } = stored
  const isWhole = format === 1 && typeof text === 'string' && [lengths, starts, numbers].every(Array.isArray)
  if (!isWhole) throw new TypeError('The stored transcript is of another form.')
  return stored
}

/** Each value as its distance from the one before: small numbers, which deflate well. */
function distances(values: ArrayLike<number>): number[] {
  return Array.from(values, (value, index) => value - (index === 0 ? 0 : (values[index - 1] ?? 0)))
}

/** The reverse of `distances`; `extra` is added to each distance. */
function runningSums(steps: readonly number[], extra = 0): number[] {
  let sum = 0
  return steps.map((step) => (sum += step + extra))
}

async function pipe(bytes: BufferSource, transform: CompressionStream | DecompressionStream): Promise<ArrayBuffer> {
  return await new Response(new Blob([bytes]).stream().pipeThrough(transform)).arrayBuffer()
}

/** The bytes to store: deflated JSON. */
export async function encodeTranscript(transcript: StoredTranscript): Promise<Uint8Array<ArrayBuffer>> {
  const { name, text, offsets, starts, numbers } = transcript
  const lengths = distances(offsets)
    .slice(1)
    .map((length) => length - 1)
  const milliseconds = Float64Array.from(starts, (seconds) => Math.round(seconds * 1_000))
  const stored: StoredForm = {
    format: 1,
    name,
    text,
    lengths,
    starts: distances(milliseconds),
    numbers: distances(numbers),
  }
  const plain = new TextEncoder().encode(JSON.stringify(stored))
  return new Uint8Array(await pipe(plain, new CompressionStream('deflate-raw')))
}

/** Reads what `encodeTranscript` wrote. @throws if the bytes are of no such form */
export async function decodeTranscript(bytes: ArrayBuffer): Promise<StoredTranscript> {
  const plain = await pipe(bytes, new DecompressionStream('deflate-raw'))
  const { name, text, lengths, starts, numbers } = readStored(new TextDecoder().decode(plain))
  return {
    name,
    text,
    offsets: Uint32Array.from([0, ...runningSums(lengths, 1)]),
    starts: Float64Array.from(runningSums(starts), (milliseconds) => milliseconds / 1_000),
    numbers: Uint32Array.from(runningSums(numbers)),
  }
}
