import type { CommentAbout } from '@postil/contract/comments.ts'
import type { ForeignFormat, LeftOutReason } from '@postil/contract/files/foreign-formats.ts'
import type { QuestionKind } from '@postil/contract/question-types/index.ts'
import type { ResponseStatus } from '@postil/contract/responses.ts'
import type { SuggestionScore } from '@postil/contract/suggestions.ts'
import type { Reason } from '@postil/contract/wire/message.ts'
import type { TracePart } from '#features/traces/public.ts'
import type { RowTimes } from '#platform/original-row.ts'
import type { Micros } from '#platform/time.ts'

export type Values = ReadonlyMap<string, unknown>

/** A value that is imported as a suggestion or as a part of an answer. */
export type Suggested = {
  readonly kind: QuestionKind
  readonly value: unknown
  /** The labels that an import proposes for the question because of this value. */
  readonly labels: readonly string[]
  /** Who or what suggested the value. */
  readonly agent?: string | undefined
  readonly score?: number | undefined
  /** The field that contains the spans. */
  readonly field?: string
}

export type FieldKind = 'text' | 'chat' | 'trace'

/** Part of a record: its name and value. */
export type Part = readonly [name: string, value: unknown]

export type Question = readonly [name: string, suggested: Suggested]

/** What one person has answered in a row. */
export type Annotation = {
  /** The person's name in the file. Empty if the file names nobody. */
  readonly annotator: string
  /** Only submitted annotations can be imported as suggestions. */
  readonly status: ResponseStatus
  readonly questions: readonly Question[]
  /** Why the annotation can't be read. */
  readonly fault?: Reason
  /** When the person made and last changed the annotation. Missing if the file doesn't say. */
  readonly times?: RowTimes | undefined
}

/** What a person has written about a row. */
export type ForeignComment = {
  /** The author's name in the file. Empty if the file names nobody. */
  readonly author: string
  readonly text: string
  /** Missing if the file doesn't say. */
  readonly at?: Micros | undefined
  /** When the thread was resolved. True if the file doesn't say when. */
  readonly resolved?: Micros | true | undefined
  /** Identifies the comment in the row, so that replies can refer to it. */
  readonly key?: string | undefined
  /** The key of the first comment in the thread. */
  readonly parent?: string | undefined
  readonly about?: Pick<CommentAbout, 'question' | 'span'> | undefined
}

/** A row of another program's file, divided into the parts of a record. Names are unique in each list, but not across lists. */
export type Item = {
  readonly id?: string | number | undefined
  /** Whether other rows with the same ID belong to the same record, for example rows of other annotators. */
  readonly sharesRecord?: boolean
  /** Whether the ID is useful only to identify the record. Such an ID is imported as the external ID or not at all. */
  readonly hasTechnicalId?: boolean
  /** Values that become fields of the given kind. */
  readonly fields?: readonly (readonly [name: string, value: unknown, kind: FieldKind])[]
  /**
   * Values of columns that become a field or metadata, or aren't imported. The column's values decide. They never become
   * questions.
   */
  readonly data?: readonly Part[]
  /** Values that are treated like the values of a plain table's columns. */
  readonly other?: readonly Part[]
  readonly metadata?: readonly Part[]
  /** Values that no person has chosen. They are imported as suggestions for questions without an annotation. */
  readonly questions?: readonly Question[]
  /** Annotations made by people. If annotations are imported as suggestions, the first submitted annotation is used. */
  readonly annotations?: readonly Annotation[]
  readonly comments?: readonly ForeignComment[]
  /** Parts of the row that are not imported if annotations are imported as suggestions. */
  readonly leftOut?: readonly { readonly part: string; readonly reason: LeftOutReason }[]
}

/** A format of another program. */
export type ForeignReader = {
  readonly format: ForeignFormat
  /** Whether rows from the beginning of a file are in this format. */
  readonly recognizes: (rows: readonly Values[]) => boolean
  /**
   * For formats in which a row contains parts of traces: returns the parts in a row. The parts of each trace are collected into
   * one row, and `read` converts this row.
   */
  readonly parts?: (row: Values) => readonly TracePart[] | { readonly fault: Reason }
  /** Converts a row, or gives the reason why it can't become a record. */
  readonly read: (row: Values) => Item | { readonly fault: Reason }
}

export type PartKind = 'id' | 'fields' | 'data' | 'questions' | 'other' | 'metadata'

/** The column for a part of the records. */
export type ForeignColumn = { readonly part: PartKind; readonly name: string; readonly column: string }

/**
 * How the rows of a foreign file are converted. `columns`: the parts of records that were found in the file's first rows, each
 * with its column.
 */
export type Foreign = { readonly as: ForeignFormat; readonly columns: readonly ForeignColumn[] }

/**
 * An annotation that is imported as a user's answer. `values` is keyed by column. If `missingIsEmpty` is true, questions without
 * a value in a submitted annotation get an empty list. This applies only to questions that allow an empty list, such as span
 * questions.
 */
export type ConvertedAnswer = Pick<Annotation, 'annotator' | 'status' | 'fault' | 'times'> & {
  readonly user_id: string
  readonly values: ReadonlyMap<string, unknown>
  readonly missingIsEmpty: boolean
}

/** A comment that is imported as a comment by the user `user_id`. */
export type ConvertedComment = ForeignComment & { readonly user_id: string }

/**
 * The comments of a row. `leftOut` is the number of comments whose authors were not matched with a user. `unmapped` lists the
 * authors whom the mapping doesn't name.
 */
export type ConvertedComments = {
  readonly comments: readonly ConvertedComment[]
  readonly leftOut: number
  readonly unmapped: readonly string[]
}

/**
 * The annotations and comments of a row.
 * - `leftOut`: the number of annotations that aren't imported
 * - `unmapped`: the annotators whom the mapping doesn't name. An annotator with several annotations is listed once for each one
 * - `sharesRecord`: whether other rows with the same ID belong to the same record
 * - `details`: the agent and score of each suggestion, keyed by column
 */
export type Annotated = {
  readonly answers: readonly ConvertedAnswer[]
  readonly leftOut: number
  readonly unmapped: readonly string[]
  readonly remarks: ConvertedComments
  readonly sharesRecord: boolean
  readonly details: ReadonlyMap<
    string,
    { readonly agent?: string | null | undefined; readonly score?: SuggestionScore | null | undefined }
  >
}

/**
 * A converted row. `item` contains the parts of the record, such as fields. `later` lists the names of the parts that have no
 * column, because they didn't occur in the rows that the preview read.
 */
export type ConvertedRow = { readonly item: Item; readonly later: readonly string[] }

/**
 * A question in a file that was downloaded from Postil. The names of its columns begin with `base`. The mapping reads the
 * question from the column `source`.
 */
type OwnQuestion = { readonly base: string; readonly source: string }

/** The answers in a download of a dataset: a row for each record (`wide`) or for each answer (`long`). */
export type OwnAnswers = { readonly form: 'wide' | 'long'; readonly questions: readonly OwnQuestion[] }
