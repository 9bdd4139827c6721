export type StoredFile = {
  readonly size: number
  /** Its bytes from `start` to before `end`. */
  readonly read: (start: number, end: number) => AsyncIterable<Uint8Array>
}
/** Where the files of datasets are. A file is never changed: it is named by what is in it. */
export type FileStore = {
  /** Keeps a file; when this returns it survives a loss of power. Keeping it again changes nothing. */
  readonly put: (dataset: string, name: string, bytes: Uint8Array) => Promise<void>
  readonly open: (dataset: string, name: string) => Promise<StoredFile | null>
  /** Names of a dataset's files. */
  readonly list: (dataset: string) => AsyncIterable<string>
  /** Removes files of a dataset, at least some if there are any. @returns whether none is left */
  readonly remove: (dataset: string) => Promise<boolean>
  /** Where it is, for people. */
  readonly location: string
}

/** A place that cannot be reached, or does not do what it is asked: a sentence. Another try may go better. */
export class FileStoreFault extends Error {}
