import { lazyPart } from '#ui/loading/lazy-part.ts'
import type { FieldSlice } from '../define.ts'

const View = lazyPart(() => import('./View.tsx').then((module) => ({ default: module.CustomView })))

export const slice: FieldSlice<'custom'> = {
  kind: 'custom',
  View,
  isSearchable: true,
  folds: false,
  plainText: (value) => JSON.stringify(value, null, 2),
}
