import type { FieldKind } from '@postil/contract/field-types/index.ts'
import type { JsonValue } from '@postil/contract/wire/json.ts'
import type { FieldSlice, FieldViewProps } from './define.ts'
import { PlainText } from './shared/PlainText.tsx'

const plainText = (value: JsonValue): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 2))

const View = ({ value, search }: FieldViewProps<never>) => <PlainText text={plainText(value)} search={search} />

/** The slice for types that this web app doesn't know. A newer server may have such types. */
export const unsupportedField = {
  kind: 'unsupported',
  View,
  isSearchable: false,
  folds: true,
  plainText,
} as unknown as FieldSlice<FieldKind>
