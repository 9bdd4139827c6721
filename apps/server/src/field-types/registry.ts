import type { FieldKind } from '@postil/contract/field-types/define.ts'
import { chatField } from './chat.ts'
import { customField } from './custom.ts'
import type { ServerFieldType } from './define.ts'
import { imageField } from './image.ts'
import { textField } from './text.ts'

/** Exhaustive: a new kind in the contract doesn't compile until its implementation is listed here. */
export const serverFieldTypes: { readonly [K in FieldKind]: ServerFieldType<K> } = {
  text: textField,
  image: imageField,
  chat: chatField,
  custom: customField,
}

export const serverFieldType = (kind: FieldKind): ServerFieldType<FieldKind> => serverFieldTypes[kind]
