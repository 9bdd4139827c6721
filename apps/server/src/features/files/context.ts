import type { FileShape } from '@postil/contract/files/files.ts'
import type { Record as RecordPayload } from '@postil/contract/records.ts'
import type { FieldRow, MetadataPropertyRow, QuestionRow, VectorSettingsRow } from '#features/schema/service.ts'

/** What a file is made from beside the records. */
export type FileContext = {
  readonly dataset: { readonly id: string; readonly name: string; readonly allow_extra_metadata: boolean }
  readonly fields: readonly FieldRow[]
  readonly questions: readonly QuestionRow[]
  readonly properties: readonly MetadataPropertyRow[]
  readonly vectors: readonly VectorSettingsRow[]
  /** Usernames by id. */
  readonly usernames: ReadonlyMap<string, string>
}

export type FileOptions = {
  readonly shape: FileShape
  readonly question: string | undefined
  readonly escapeFormulas: boolean
  /** The file goes on where another one ended. */
  readonly isContinued: boolean
}

/** A file in the making: bytes as records come, and those that end it. */
export type OpenFile = {
  readonly push: (records: readonly RecordPayload[]) => Uint8Array
  readonly end: () => Uint8Array
}
/** @throws Problem unprocessable for options that this format cannot serve */
export type FormatWriter = (context: FileContext, options: FileOptions) => OpenFile

export const nothing = new Uint8Array()
