import type { FieldKind } from '@postil/contract/field-types/index.ts'
import { type KindNames, kindIn } from '@postil/contract/wire/kinds.ts'
import { chatField } from './chat.ts'
import { customField } from './custom.ts'
import type { ServerFieldType } from './define.ts'
import { imageField } from './image.ts'
import { textField } from './text.ts'
import { traceField } from './trace.ts'

/** All field types, keyed by kind. If a kind of the contract is missing here, compilation fails. */
export const serverFieldTypes: { readonly [K in FieldKind]: ServerFieldType<K> } = {
  text: textField,
  image: imageField,
  chat: chatField,
  custom: customField,
  trace: traceField,
}

/** Returns the field type for a field's settings. */
export const serverFieldType = (settings: KindNames): ServerFieldType<FieldKind> =>
  serverFieldTypes[kindIn(serverFieldTypes, settings)]
