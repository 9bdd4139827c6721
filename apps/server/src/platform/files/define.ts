export type StoredFile = {
  readonly size: number
  /** Reads the bytes from `start` up to, but not including, `end`. */
  readonly read: (start: number, end: number) => AsyncIterable<Uint8Array>
}
/** Storage for the files of datasets. A file never changes, because its name is derived from its content. */
export type FileStore = {
  /**
   * Stores a file durably: when the promise resolves, the file survives a power loss. If the file already exists, only its
   * timestamp is renewed, so that `removeOld` keeps the file until it is referenced.
   */
  readonly put: (dataset: string, name: string, bytes: Uint8Array) => Promise<void>
  readonly open: (dataset: string, name: string) => Promise<StoredFile | null>
  /** Names of a dataset's files. */
  readonly list: (dataset: string) => AsyncIterable<string>
  /**
   * Names of the files that were last stored or renewed before `before`. Includes unfinished drafts.
   * @param before milliseconds since the epoch
   */
  readonly listOld: (dataset: string, before: number) => AsyncIterable<string>
  /** Deletes a file unless it was stored or renewed since `before`. @returns whether it was deleted */
  readonly removeOld: (dataset: string, name: string, before: number) => Promise<boolean>
  /** Deletes files of a dataset. One call may delete only some of them. @returns whether no files remain */
  readonly remove: (dataset: string) => Promise<boolean>
  /** The location, for messages to users. */
  readonly location: string
}

/**
 * The minimum age, in milliseconds, at which a file's timestamp is renewed when the file is stored again. Unreferenced files are
 * kept for a day; this is a tenth of a day.
 */
export const REFRESH_MS = 8_640_000

/** Storage that can't be reached or refuses a request. The message is a sentence. A retry may succeed. */
export class FileStoreFault extends Error {}
