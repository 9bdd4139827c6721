import { Transform } from 'node:stream'

/** How far a step of a backup is; `total` is null where nobody knows it. */
export type Step = {
  readonly what: 'copying' | 'packing' | 'unpacking' | 'restoring'
  readonly unit: 'bytes' | 'rows'
  readonly done: number
  readonly total: number | null
}
export type OnStep = (step: Step) => void

/** Passes bytes on and tells how many there were. */
export const counting = (told: (bytes: number) => void): Transform => {
  let bytes = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      told(bytes)
      done(null, chunk)
    },
  })
}

/** Counts rows. */
export const rowsOf = (what: Step['what'], onStep: OnStep): ((some: number) => void) => {
  let done = 0
  return (some) => {
    done += some
    onStep({ what, unit: 'rows', done, total: null })
  }
}
