import { haveSameBytes } from './compare-bytes.ts'

export type CompareRequest = { pair: string; a: Blob; b: Blob }
/** `result`: whether all bytes are equal, or how much is compared; null: a file cannot be read */
export type CompareAnswer = { pair: string; result: boolean | number | null }

let last: Promise<unknown> = Promise.resolve()

async function compare({ pair, a, b }: CompareRequest): Promise<void> {
  let shown = 0
  const answer = (result: CompareAnswer['result']) => self.postMessage({ pair, result } satisfies CompareAnswer)
  const onProgress = (share: number) => {
    if (share - shown < 0.01) return
    shown = share
    answer(share)
  }
  answer(await haveSameBytes(a, b, onProgress).catch(() => null))
}

// One after another: two would take turns on the same disk.
self.onmessage = ({ data }: MessageEvent<CompareRequest>) => {
  last = last.then(() => compare(data))
}
