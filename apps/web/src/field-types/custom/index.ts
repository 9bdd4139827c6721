import { lazy } from 'react'
import type { FieldSlice } from '../define.ts'

export const slice: FieldSlice<'custom'> = {
  kind: 'custom',
  View: lazy(() => import('./View.tsx').then((module) => ({ default: module.CustomView }))),
  isSearchable: true,
  folds: false,
  plainText: (value) => JSON.stringify(value, null, 2),
}
