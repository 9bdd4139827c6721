import { lazyPart } from '#ui/loading/lazy-part.ts'
import type { FieldSlice } from '../define.ts'
import { messagesOf } from './messages.ts'

const View = lazyPart(() => import('./View.tsx').then((module) => ({ default: module.ChatView })))

export const slice: FieldSlice<'chat'> = {
  kind: 'chat',
  View,
  isSearchable: true,
  folds: true,
  plainText: (value) =>
    messagesOf(value)
      .map(({ role, content }) => `${role}: ${content}`)
      .join('\n'),
}
