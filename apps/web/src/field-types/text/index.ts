import type { FieldSlice } from '../define.ts'
import { TextView } from './View.tsx'

export const slice: FieldSlice<'text'> = {
  kind: 'text',
  View: TextView,
  isSearchable: true,
  folds: true,
  plainText: String,
}
