import { Transform } from 'node:stream'

/** Progress of a backup step; `total` is null if unknown. */
export type Step = {
  readonly what: 'copying' | 'packing' | 'unpacking' | 'restoring'
  readonly unit: 'bytes' | 'rows'
  readonly done: number
  readonly total: number | null
}
export type OnStep = (step: Step) => void

/** A pass-through stream that reports the number of bytes so far. */
export const counting = (onBytes: (bytes: number) => void): Transform => {
  let bytes = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      onBytes(bytes)
      done(null, chunk)
    },
  })
}

/** Returns a function that counts rows and reports progress. */
export const rowsOf = (what: Step['what'], onStep: OnStep): ((some: number) => void) => {
  let done = 0
  return (some) => {
    done += some
    onStep({ what, unit: 'rows', done, total: null })
  }
}
