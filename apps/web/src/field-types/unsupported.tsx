import type { FieldKind } from '@postil/contract/field-types/index.ts'
import type { JsonValue } from '@postil/contract/wire/json.ts'
import type { FieldSlice, FieldViewProps } from './define.ts'
import { PlainText } from './shared/PlainText.tsx'

const plainText = (value: JsonValue): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 2))

const View = ({ value, search }: FieldViewProps<never>) => <PlainText text={plainText(value)} search={search} />

/** Used for field kinds that this web app doesn't know, for example because the server is newer. */
export const unsupportedField = {
  kind: 'unsupported',
  View,
  isSearchable: false,
  folds: true,
  plainText,
} as unknown as FieldSlice<FieldKind>
