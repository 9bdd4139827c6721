import type { z } from 'zod'
import type { JsonValue } from '#wire/json.ts'
import { type KindNames, kindFault, kindIn } from '#wire/kinds.ts'
import type { Reason } from '#wire/message.ts'
import { tagged } from '#wire/tagged.ts'
import { chatField } from './chat.ts'
import { customField } from './custom.ts'
import type { FieldFixtures } from './define.ts'
import { imageField } from './image.ts'
import { textField } from './text.ts'
import { traceField } from './trace.ts'

/** Every field type, keyed by kind. The other lists of the project are derived from this one. */
export const fieldTypes = {
  text: textField,
  image: imageField,
  chat: chatField,
  custom: customField,
  trace: traceField,
} as const

type Slices = typeof fieldTypes
export type FieldKind = keyof Slices
export const fieldKinds = Object.keys(fieldTypes) as [FieldKind, ...FieldKind[]]

export type FieldSettings = z.output<Slices[FieldKind]['settings']>
export type FieldSettingsOf<K extends FieldKind> = z.output<Slices[K]['settings']>

export const FieldSettings = tagged(
  'type',
  fieldKinds.map((kind) => fieldTypes[kind].settings),
)
export const FieldSettingsCreate = tagged(
  'type',
  fieldKinds.map((kind) => fieldTypes[kind].createSettings),
)
export const FieldSettingsUpdate = tagged(
  'type',
  fieldKinds.map((kind) => fieldTypes[kind].updateSettings),
)

type Erased = {
  readonly check: (value: JsonValue) => Reason | null
  readonly fixtures: FieldFixtures<FieldSettings>
  readonly createSettings: z.ZodType<FieldSettings>
}
/** Returns the field type of a kind. */
export const fieldType = (kind: FieldKind): Erased => fieldTypes[kind]
/** Returns the kind that the settings specify. */
export const fieldKindOf = (settings: KindNames): FieldKind => kindIn(fieldTypes, settings)
/** Returns the field type that the settings specify. */
export const fieldTypeOf = (settings: KindNames): Erased => fieldType(fieldKindOf(settings))

/**
 * Returns the settings of a custom field with another view. If `view` is null, the field shows its template. For all other field
 * types, returns a sentence that describes the error.
 */
export const withFieldView = (settings: FieldSettings, view: 'trace' | null): FieldSettings | string => {
  if (settings.type !== 'custom') return `Only custom fields have a view. This is a field of type '${settings.type}'`
  const { type, template, advanced_mode } = settings
  return view === null ? { type, template, advanced_mode } : { type, postil_kind: view, view, template, advanced_mode }
}

/** The settings after an update, or one sentence on why it is refused. */
export const mergeFieldSettings = (stored: FieldSettings, update: FieldSettings): FieldSettings | string =>
  kindFault('Field', stored, update) ?? { ...stored, ...update }
