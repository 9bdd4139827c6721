import type { FieldKind } from '@postil/contract/field-types/define.ts'
import type { JsonValue } from '@postil/contract/wire/json.ts'
import { loadTemplateCheck, templateFault } from './custom/template-fault.ts'
import type { FieldSettingsOf } from './define.ts'

/** What is settled of a field of a kind when it is made. */
export type FieldCreation<K extends FieldKind> = {
  readonly initial: FieldSettingsOf<K>
  /** Whether something is wrong with the settings, which their form says. */
  readonly isFaulty: (settings: FieldSettingsOf<K>) => boolean
  /** Loads what `isFaulty` needs to know everything; null where it needs nothing. */
  readonly prepare: (() => Promise<void>) | null
  /** A made-up value with these words, for a preview without records; null where none can be made. */
  readonly sample: (words: string) => JsonValue
}

const fieldCreations: { readonly [K in FieldKind]: FieldCreation<K> } = {
  text: { initial: { type: 'text', use_markdown: false }, isFaulty: () => false, prepare: null, sample: (words) => words },
  chat: {
    initial: { type: 'chat', use_markdown: true },
    isFaulty: () => false,
    prepare: null,
    sample: (words) => [{ role: 'user', content: words }],
  },
  image: { initial: { type: 'image' }, isFaulty: () => false, prepare: null, sample: () => null },
  custom: {
    initial: { type: 'custom', template: '<pre>{{json record.fields}}</pre>', advanced_mode: false },
    isFaulty: (settings) => templateFault(settings) !== null,
    prepare: loadTemplateCheck,
    sample: (words) => ({ text: words }),
  },
}

/** The kinds in the order in which they are offered. */
export const fieldKindsToMake = Object.keys(fieldCreations) as readonly FieldKind[]

/** How a field of a kind is made, with its own types forgotten: whoever uses it hands it settings of that kind. */
export const fieldCreation = (kind: FieldKind): FieldCreation<FieldKind> =>
  fieldCreations[kind] as unknown as FieldCreation<FieldKind>
