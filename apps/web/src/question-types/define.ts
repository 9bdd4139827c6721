import type { RankingItem, Span } from '@postil/contract/answer-value.ts'
import type { QuestionKind } from '@postil/contract/question-types/define.ts'
import type { SettingsOf } from '@postil/contract/question-types/index.ts'
import type { Question } from '@postil/contract/questions.ts'
import type { Suggestion } from '@postil/contract/suggestions.ts'
import type { JsonObject, JsonValue } from '@postil/contract/wire/json.ts'
import type { ComponentType } from 'react'
import type { ValueFilter } from './value-filter.ts'

/** What an answer to a question of a kind is. */
export type ValueOf = {
  text: string
  rating: number
  label_selection: string
  multi_label_selection: readonly string[]
  ranking: readonly RankingItem[]
  span: readonly Span[]
}

export type QuestionOf<K extends QuestionKind> = Omit<Question, 'settings'> & { readonly settings: SettingsOf<K> }
export type SuggestionOf<K extends QuestionKind> = Omit<Suggestion, 'value'> & { readonly value: ValueOf[K] }

/** The answer in an editor: its value, and the part of it that is only suggested, until the annotator touches it. */
export type AnswerOf<K extends QuestionKind> = { readonly value: ValueOf[K] | null; readonly suggested: ValueOf[K] | null }

export type ChangeOptions = {
  /** The annotator has said all there is to say here: the next question may have the focus. */
  readonly done?: boolean
  /** Made by a single key: where it is the only question, the answer is submitted at once. */
  readonly quick?: boolean
  /** Belongs to the change before, for undo: one letter after another. */
  readonly merge?: boolean
}

/** What the parts of a question share while its record is on the screen; only its slice knows what is inside. */
export type Shared = {
  readonly get: () => unknown
  readonly set: (state: unknown) => void
  readonly subscribe: (listener: () => void) => () => void
}

export type EditorProps<K extends QuestionKind> = {
  readonly question: QuestionOf<K>
  readonly answer: AnswerOf<K>
  /** The model's suggestion as it came; null without one. */
  readonly suggestion: SuggestionOf<K> | null
  /** The record's fields by name; null while there is no record. */
  readonly fields: JsonObject | null
  readonly onChange: (answer: AnswerOf<K>, options?: ChangeOptions) => void
  /** The id of the element that names the question. */
  readonly labelledBy: string
  /** Part of what describes it, when it has a description. */
  readonly describedBy: string | undefined
  readonly shared: Shared
}

export type FieldEditorProps<K extends QuestionKind> = Omit<EditorProps<K>, 'labelledBy' | 'describedBy'> & {
  /** Of the field. */
  readonly value: JsonValue
  readonly label: string
  /** Words to mark as found by a search. */
  readonly search: string | null
}

export type ValueProps<K extends QuestionKind> = {
  readonly question: QuestionOf<K>
  readonly value: ValueOf[K]
  readonly fields: JsonObject
  /** Of a value that is suggested: one number, or one for each item of a list. */
  readonly score?: Suggestion['score']
}

/** How much of a question is answered. Partly is as good as nothing for a submit, but not for a draft. */
export type Completeness = 'empty' | 'partial' | 'complete'

/** A line of the shortcut sheet: keys as they are written on them, and the message that says what they do. */
export type Shortcut = { readonly keys: readonly string[]; readonly message: string }

export type QuestionSlice<K extends QuestionKind> = {
  readonly kind: K
  readonly Editor: ComponentType<EditorProps<K>>
  /** The answer to be read, as beside another one. */
  readonly Value: ComponentType<ValueProps<K>>
  /** A value as it is meant, where the wire may say it in another form too; the same value where there is nothing to change. */
  readonly asMeant?: (value: ValueOf[K]) => ValueOf[K]
  /** A value as it is sent, where what reads it later goes by more than it says. */
  readonly asSent?: (value: ValueOf[K]) => ValueOf[K]
  readonly completeness: (value: ValueOf[K] | null, settings: SettingsOf<K>) => Completeness
  /** What a submit says where it is answered in part; otherwise what it says of a question without an answer. */
  readonly Partial?: ComponentType<{ readonly required: boolean }>
  /** What is stored for a question that was left alone; null stores nothing. */
  readonly untouched: ValueOf[K] | null
  readonly shortcuts: readonly Shortcut[]
  /** Where the suggestion's score is shown: on the items themselves, or beside the agent's name. */
  readonly scorePlace: 'items' | 'header'
  /** How answers and suggestions can be filtered by their value, and sorted where it is a number; null where they cannot. */
  readonly valueFilter: ((settings: SettingsOf<K>) => ValueFilter) | null
  /** For questions that are answered inside the text of a field: which one, and the editor that stands in its place. */
  readonly inField?: {
    readonly fieldOf: (settings: SettingsOf<K>) => string
    /** Whether it can be answered in what the field of a record holds. */
    readonly isIn: (value: JsonValue) => boolean
    readonly FieldEditor: ComponentType<FieldEditorProps<K>>
  }
}
