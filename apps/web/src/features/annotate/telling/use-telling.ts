import { useEffect, useRef, useState } from 'react'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import type { RecordFilterStatus } from '#lib/url/grammar.ts'
import { announce, saidJustNow } from '#ui/telling/announcer.ts'
import type { QueueSnapshot } from '../queue/item.ts'

/** A record that comes within so many milliseconds after a deed comes because of it, and both are told at once. */
const together = 3000

const createTelling = () => {
  let last: { readonly words: string; readonly at: number } | null = null
  return {
    /** Tells what was done, behind what has led to it: the label that a digit has picked, and submitted with it. */
    deed: (done: string): void => {
      const before = saidJustNow()
      const words = before === null ? done : `${before}. ${done}`
      last = { words, at: performance.now() }
      announce(words)
    },
    /** Tells where one is, behind what has led there. */
    place: (words: string): void => {
      announce(last && performance.now() - last.at < together ? `${last.words}. ${words}` : words)
      last = null
    },
  }
}
export type Telling = ReturnType<typeof createTelling>

/** Tells who cannot see the screen what happens on it. */
export const useTelling = (): Telling => useState(createTelling)[0]

/** Tells where in the list one is: once per record, not with every count. */
export const useTellingPlace = (telling: Telling, shown: QueueSnapshot, status: RecordFilterStatus): void => {
  const { t } = useTranslation('features/annotate')
  const now = useRef(shown)
  now.current = shown
  // The end of a list is told like a record: a filter that nothing fits has to be heard too.
  const id = shown.item?.record.id ?? (shown.phase === 'ready' ? 'end' : null)
  const place = shown.total === null ? null : id
  useEffect(() => {
    const { total, position } = now.current
    if (place === null || total === null) return
    const count = { count: total, formatted: formatCount(total) }
    if (status === 'pending') telling.place(t('announce.left', count))
    else if (place === 'end') telling.place(t(`pager.${status}`, count))
    else telling.place(t('pager.of', { position: formatCount(position), total: count.formatted }))
  }, [telling, place, status, t])
}
