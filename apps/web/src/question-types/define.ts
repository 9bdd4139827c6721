import type { RankingItem, Span } from '@postil/contract/answer-value.ts'
import type { Sides } from '@postil/contract/comparison-sides.ts'
import type { QuestionRules } from '@postil/contract/question-types/define.ts'
import type { QuestionKind, SettingsOf } from '@postil/contract/question-types/index.ts'
import type { Question } from '@postil/contract/questions.ts'
import type { Suggestion } from '@postil/contract/suggestions.ts'
import type { JsonObject, JsonValue } from '@postil/contract/wire/json.ts'
import type { ComponentType, ReactNode } from 'react'
import type { ValueFilter } from './value-filter.ts'
import type { Viewer } from './viewer.ts'

/** The answer value of each type of the published wire. */
type PublishedValue = {
  text: string
  rating: number
  label_selection: string
  multi_label_selection: readonly string[]
  ranking: readonly RankingItem[]
  span: readonly Span[]
}
/**
 * The type of the answers to each kind of question. A kind that exists only in Postil has the values of the published type on
 * which it is based.
 */
export type ValueOf = { readonly [K in QuestionKind]: PublishedValue[SettingsOf<K>['type']] }

export type QuestionOf<K extends QuestionKind> = Omit<Question, 'settings'> & { readonly settings: SettingsOf<K> }
export type SuggestionOf<K extends QuestionKind> = Omit<Suggestion, 'value'> & { readonly value: ValueOf[K] }

/** The answer in an editor: its value, and the part that is only suggested until the annotator changes or accepts it. */
export type AnswerOf<K extends QuestionKind> = { readonly value: ValueOf[K] | null; readonly suggested: ValueOf[K] | null }

export type ChangeOptions = {
  /** Whether the question is fully answered, so that the next one can take the focus. */
  readonly done?: boolean
  /**
   * Whether the change was made with a single key. If this is the only question, the user can choose that such a key also submits
   * the answer.
   */
  readonly quick?: boolean
  /** Whether one undo reverts both this change and the previous one. True, for example, for letters typed one after another. */
  readonly merge?: boolean
}

/** State that a question's parts share while its record is on the screen. Only the question's slice knows the content. */
export type Shared = {
  readonly get: () => unknown
  readonly set: (state: unknown) => void
  readonly subscribe: (listener: () => void) => () => void
}

export type EditorProps<K extends QuestionKind> = {
  readonly question: QuestionOf<K>
  readonly answer: AnswerOf<K>
  /** The original suggestion, or null if there is none. */
  readonly suggestion: SuggestionOf<K> | null
  /** The record's fields, keyed by name, or null if there is no record. */
  readonly fields: JsonObject | null
  readonly onChange: (answer: AnswerOf<K>, options?: ChangeOptions) => void
  /** ID of the element that labels the question. */
  readonly labelledBy: string
  /** ID of the question's description, if it has one. */
  readonly describedBy: string | undefined
  readonly shared: Shared
}

export type FieldEditorProps<K extends QuestionKind> = Omit<EditorProps<K>, 'labelledBy' | 'describedBy'> & {
  /** Value of the field. */
  readonly value: JsonValue
  readonly label: string
  /** Search words to highlight. */
  readonly search: string | null
  /** Whether the field's text is Markdown. */
  readonly isMarkdown?: boolean
}

export type SharedFieldEditorProps<K extends QuestionKind> = {
  /**
   * The props for the editor of each question, in the order of the questions. `onFocus` is called if the focus moves to a part of
   * the question.
   */
  readonly editors: readonly (FieldEditorProps<K> & { readonly onFocus?: () => void })[]
  /** Whether another question's editor shows the same field. */
  readonly isBeside: boolean
}

export type ValueProps<K extends QuestionKind> = {
  readonly question: QuestionOf<K>
  readonly value: ValueOf[K]
  readonly fields: JsonObject
  /** Score of a suggested value: one number, or one per item of a list. */
  readonly score?: Suggestion['score']
  /** Another version of the answer. Parts of `value` that the other version doesn't contain are marked. */
  readonly other?: ValueOf[K]
}

/**
 * How completely a question is answered. A partial answer is treated as no answer when submitting, but not when saving a draft.
 */
export type Completeness = 'empty' | 'partial' | 'complete'

/** A line of the shortcut sheet: the keys as printed on the keyboard, and the message key of their action. */
export type Shortcut = { readonly keys: readonly string[]; readonly message: string }

/** One of the two fields that a question compares. */
export type ComparedField = {
  /** The field as it is shown outside comparisons. */
  readonly content: ReactNode
  /** The field as plain text. Empty if it has no text. */
  readonly text: string
}

export type QuestionSlice<K extends QuestionKind> = {
  readonly kind: K
  /** The rules of the contract. */
  readonly rules: QuestionRules<SettingsOf<K>>
  readonly Editor: ComponentType<EditorProps<K>>
  /** A component that shows an answer read-only, for example next to another answer. */
  readonly Value: ComponentType<ValueProps<K>>
  /** A read-only answer together with the part of the record that it is about. Omitted if `Value` is sufficient on its own. */
  readonly ValueInContext?: ComponentType<ValueProps<K>>
  /**
   * Loads the code that a question otherwise loads when it is first shown. Rejects if the network fails. Omitted if the question
   * type has no such code.
   */
  readonly preload?: (settings: SettingsOf<K>) => Promise<void>
  /**
   * Normalizes a value that the API can represent in several equivalent forms. Returns the same value if it is already
   * normalized.
   */
  readonly normalize?: (value: ValueOf[K]) => ValueOf[K]
  /**
   * Converts a value to the form in which it is sent. For example, a ranking is sorted by rank, because the SDK returns its
   * options as a list without ranks.
   */
  readonly toWire?: (value: ValueOf[K]) => ValueOf[K]
  /** @param fields the record's fields. Without them, a started answer to a question about a field counts as complete. */
  readonly completeness: (value: ValueOf[K] | null, settings: SettingsOf<K>, fields?: JsonObject) => Completeness
  /**
   * The message that is shown on submitting if the question is partly answered. The default is the message for an unanswered
   * question.
   */
  readonly Partial?: ComponentType<{ readonly required: boolean }>
  /** The value to store for a question that the annotator left untouched. Null stores nothing. */
  readonly untouched: ValueOf[K] | null
  /** Whether the options come from the record. If so, an answer doesn't apply to other records. */
  readonly isOfRecord?: boolean
  /** Whether one key press can answer the question completely. If so, the same key press may also submit the answer. */
  readonly isQuick?: boolean
  readonly shortcuts: readonly Shortcut[]
  /** Where the suggestion's score is shown: on the items, or next to the agent's name. */
  readonly scorePlace: 'items' | 'header'
  /**
   * Returns how answers and suggestions can be filtered by value. If the value is a number, they can also be sorted by it. Null
   * if they can't be filtered.
   */
  readonly valueFilter: ((settings: SettingsOf<K>) => ValueFilter) | null
  /** For questions that are answered inside the text of a field: the field, and the editor that replaces it. */
  readonly fieldEditing?: {
    readonly fieldOf: (settings: SettingsOf<K>) => string
    /** Whether the question can be answered inside a field that has this value. */
    readonly isIn: (value: JsonValue) => boolean
    readonly FieldEditor: ComponentType<FieldEditorProps<K>>
    /** Edits several questions of the same field together. Omitted if a question needs the field for itself. */
    readonly SharedEditor?: ComponentType<SharedFieldEditorProps<K>>
  }
  /** For questions about two fields that are shown next to each other, in an order that depends on the person. */
  readonly comparing?: {
    readonly sidesOf: (settings: SettingsOf<K>, viewer: Viewer) => Sides
    readonly FieldsView: ComponentType<{ readonly first: ComparedField; readonly second: ComparedField }>
  }
}
