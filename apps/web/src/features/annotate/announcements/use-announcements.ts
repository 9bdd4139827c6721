import type { RecordFilterStatus } from '@postil/contract/annotation-query/grammar.ts'
import { useEffect, useRef, useState } from 'react'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { announce, lastAnnouncement } from '#ui/feedback/announcer.ts'
import type { ListSnapshot } from '../queue/list-item.ts'

/**
 * The time in milliseconds after an action during which a new record on the screen is treated as the action's result. The two are
 * then announced together.
 */
const groupingTime = 3000

const createAnnouncements = () => {
  let last: { readonly words: string; readonly at: number } | null = null
  return {
    /**
     * Announces an action. An announcement from the same task hasn't been read out yet, so it is repeated first. For example, a
     * shortcut selects a label (first announcement) and submits the answer (this action).
     */
    action: (done: string): void => {
      const before = lastAnnouncement()
      const words = before === null ? done : `${before}. ${done}`
      last = { words, at: performance.now() }
      announce(words)
    },
    /** Announces the position in the list, preceded by the action that led there. */
    place: (words: string): void => {
      announce(last && performance.now() - last.at < groupingTime ? `${last.words}. ${words}` : words)
      last = null
    },
  }
}
type Announcements = ReturnType<typeof createAnnouncements>

/** Announcements for screen readers. */
export const useAnnouncements = (): Announcements => useState(createAnnouncements)[0]

/** Announces the position in the list once per record, not every time the count changes. */
export const useAnnouncePosition = (announcements: Announcements, shown: ListSnapshot, status: RecordFilterStatus): void => {
  const { t } = useTranslation('features/annotate')
  const now = useRef(shown)
  now.current = shown
  // The end of the list is announced, too. It is shown, for example, when nothing matches a filter.
  const id = shown.item?.record.id ?? (shown.phase === 'ready' ? 'end' : null)
  const place = shown.total === null ? null : id
  useEffect(() => {
    const { total, position } = now.current
    if (place === null || total === null) return
    const count = { count: total, formatted: formatCount(total) }
    if (status === 'pending') announcements.place(t('announce.left', count))
    else if (place === 'end') announcements.place(t(`pager.${status}`, count))
    else announcements.place(t('pager.of', { position: formatCount(position), total: count.formatted }))
  }, [announcements, place, status, t])
}
