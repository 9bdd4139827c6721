export type StoredFile = {
  readonly size: number
  /** Its bytes from `start` to before `end`. */
  readonly read: (start: number, end: number) => AsyncIterable<Uint8Array>
}
/** Where the files of datasets are. A file is never changed: it is named by what is in it. */
export type FileStore = {
  /**
   * Keeps a file; when this returns it survives a loss of power. Keeping it again changes nothing, but counts: a file that was kept a moment
   * ago is about to be named, see `removeOld`.
   */
  readonly put: (dataset: string, name: string, bytes: Uint8Array) => Promise<void>
  readonly open: (dataset: string, name: string) => Promise<StoredFile | null>
  /** Names of a dataset's files. */
  readonly list: (dataset: string) => AsyncIterable<string>
  /** Names of files that nobody has kept since a time, drafts that were never finished among them. @param before milliseconds since the epoch */
  readonly listOld: (dataset: string, before: number) => AsyncIterable<string>
  /** Removes a file unless somebody has kept it since. @returns whether it is gone */
  readonly removeOld: (dataset: string, name: string, before: number) => Promise<boolean>
  /** Removes files of a dataset, at least some if there are any. @returns whether none is left */
  readonly remove: (dataset: string) => Promise<boolean>
  /** Where it is, for people. */
  readonly location: string
}

/** Keeping a file that is there is written down once it is older than that: a tenth of the day for which unnamed files stay. */
export const REFRESH_MS = 8_640_000

/** A place that cannot be reached, or does not do what it is asked: a sentence. Another try may go better. */
export class FileStoreFault extends Error {}
