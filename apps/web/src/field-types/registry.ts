import type { FieldKind } from '@postil/contract/field-types/define.ts'
import { chatSlice } from './chat/index.ts'
import { customSlice } from './custom/index.ts'
import type { FieldSlice } from './define.ts'
import { imageSlice } from './image/index.ts'
import { textSlice } from './text/index.ts'

/** Every field kind must have its slice here; the type check enforces it. */
export const fieldSlices: { readonly [K in FieldKind]: FieldSlice<K> } = {
  text: textSlice,
  image: imageSlice,
  chat: chatSlice,
  custom: customSlice,
}

/** Returns the slice of a kind with its types erased. The caller must pass fields of that kind. */
export const fieldSlice = (kind: FieldKind): FieldSlice<FieldKind> => fieldSlices[kind] as unknown as FieldSlice<FieldKind>
