import type { z } from 'zod'
import type { JsonValue } from '#wire/json.ts'
import type { Reason } from '#wire/message.ts'
import { tagged } from '#wire/tagged.ts'
import { chatField } from './chat.ts'
import { customField } from './custom.ts'
import type { FieldFixtures, FieldKind } from './define.ts'
import { fieldKinds } from './define.ts'
import { imageField } from './image.ts'
import { textField } from './text.ts'

type AnySlice<K extends FieldKind> = { readonly kind: K; readonly settings: z.ZodType<{ readonly type: K }> }

export const fieldTypes = {
  text: textField,
  image: imageField,
  chat: chatField,
  custom: customField,
} as const satisfies { readonly [K in FieldKind]: AnySlice<K> }

type Slices = typeof fieldTypes
export type FieldSettings = z.output<Slices[FieldKind]['settings']>

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
export const fieldType = (kind: FieldKind): Erased => fieldTypes[kind]
