import type { FileShape } from '@postil/contract/files/files.ts'
import type { Record as RecordPayload } from '@postil/contract/records.ts'
import type { FieldRow, MetadataPropertyRow, QuestionRow, VectorSettingsRow } from '#features/schema/public.ts'

/** The data from which an export file is written, apart from the records. */
export type ExportContext = {
  readonly dataset: { readonly id: string; readonly name: string; readonly allow_extra_metadata: boolean }
  readonly fields: readonly FieldRow[]
  readonly questions: readonly QuestionRow[]
  readonly properties: readonly MetadataPropertyRow[]
  readonly vectors: readonly VectorSettingsRow[]
  /** Whether the file contains the records of a snapshot. The status and the suggestions of such records are unknown. */
  readonly isSnapshot: boolean
  /** False while the agreement on records is still being calculated after an upgrade. */
  readonly agreementFilled: boolean
  /** Whether any record has final answers. */
  readonly hasGold: boolean
  /** Whether any record has comments. */
  readonly hasComments: boolean
  /** Whether any record was assigned as a test item. */
  readonly hasTests: boolean
  /** Usernames by ID. */
  readonly usernames: ReadonlyMap<string, string>
}

type ExportOptions = {
  readonly shape: FileShape
  readonly question: string | undefined
  /**
   * What happens if spans overlap and the format can't represent this: `refuse` refuses the download, `longest` keeps only the
   * longest of them.
   */
  readonly overlaps: 'refuse' | 'longest'
  readonly escapeFormulas: boolean
  /** True if the file continues an interrupted file. */
  readonly isContinued: boolean
}

/** A file in progress. `push` yields, in pieces, the bytes for the given records. `end` returns the final bytes. */
export type OpenWriter = {
  /**
   * Checks whether the format can represent the records. All records are checked before the file begins, so they are read twice.
   * Only formats that can't represent every record have this function.
   * @throws Problem unprocessable
   */
  readonly check?: (records: readonly RecordPayload[]) => void
  readonly push: (records: readonly RecordPayload[]) => Iterable<Uint8Array>
  readonly end: () => Uint8Array
}

/** @throws Problem unprocessable for options that the format doesn't support */
export type FormatWriter = (context: ExportContext, options: ExportOptions) => OpenWriter

export const noBytes = new Uint8Array()
