import { lazy } from 'react'
import type { FieldSlice } from '../define.ts'
import { messagesOf } from './messages.ts'

export const slice: FieldSlice<'chat'> = {
  kind: 'chat',
  View: lazy(() => import('./View.tsx').then((module) => ({ default: module.ChatView }))),
  isSearchable: true,
  folds: true,
  plainText: (value) =>
    messagesOf(value)
      .map(({ role, content }) => `${role}: ${content}`)
      .join('\n'),
}
