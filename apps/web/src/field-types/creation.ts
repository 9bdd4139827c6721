import type { FieldKind } from '@postil/contract/field-types/define.ts'
import type { JsonValue } from '@postil/contract/wire/json.ts'
import { loadTemplateCheck, templateFault } from './custom/template-fault.ts'
import type { FieldSettingsOf } from './define.ts'

/** The choices for a field of this kind when it is created. */
export type FieldCreation<K extends FieldKind> = {
  readonly initial: FieldSettingsOf<K>
  /** Whether the settings have an error, which their form shows. */
  readonly isFaulty: (settings: FieldSettingsOf<K>) => boolean
  /** Loads the data that `isFaulty` needs for a full check; null if it needs none. */
  readonly prepare: (() => Promise<void>) | null
  /** Returns a sample value with the given text, for a preview without records; null if there can't be one. */
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

/** The field kinds in the order in which they are offered. */
export const fieldKindsToMake = Object.keys(fieldCreations) as readonly FieldKind[]

/** Returns a field kind's creation slice with its types erased. The caller must pass settings of that kind. */
export const fieldCreation = (kind: FieldKind): FieldCreation<FieldKind> =>
  fieldCreations[kind] as unknown as FieldCreation<FieldKind>
