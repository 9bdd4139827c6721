import { lazy } from 'react'
import type { FieldSlice } from '../define.ts'

export const slice: FieldSlice<'image'> = {
  kind: 'image',
  View: lazy(() => import('./View.tsx').then((module) => ({ default: module.ImageView }))),
  isSearchable: false,
  folds: false,
  plainText: String,
}
