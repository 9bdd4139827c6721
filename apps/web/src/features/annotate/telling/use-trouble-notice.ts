import { useEffect, useRef, useState } from 'react'
import { askAboutStuckAnswers } from '#features/stuck-answers/service.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { isUnknownDataset } from '#lib/api/dataset-queries.ts'
import { useOutbox } from '#lib/outbox/use-outbox.ts'
import { announce } from '#ui/telling/announcer.ts'
import { closeToast, toast, toastProblem } from '#ui/telling/toast.ts'
import { fetchRecord } from '../api.ts'
import type { Annotation } from '../use-annotation.ts'
import { nameOfTrouble, useToldTroubles } from './told-troubles.ts'

/** Among several records that are shown one may be out of sight. */
const cardOf = (recordId: string): Element | null => document.querySelector(`[data-record="${CSS.escape(recordId)}"]`)

/** Cards come into sight one by one, milliseconds: what comes together is told together. */
const togetherFor = 100

type Words = { readonly one: string | null; readonly several: string | null }

/** What is told at its record is told by ear too, once for all that come into sight together; of several, one sentence says so to everybody. */
const useHeard = (names: readonly string[], { one, several }: Words): void => {
  const heard = useRef<ReadonlySet<string>>(new Set())
  const key = names.join()
  useEffect(() => {
    const now = new Set(key === '' ? [] : key.split(','))
    const timer = setTimeout(() => {
      const fresh = [...now].filter((name) => !heard.current.has(name))
      heard.current = now
      if (fresh.length > 1 && several !== null) toast({ text: several, kind: 'danger', key: 'several-refused' })
      else if (fresh.length > 0 && one !== null) announce(one, 'assertive')
    }, togetherFor)
    return () => clearTimeout(timer)
  }, [key, one, several])
}

/**
 * Tells of answers to this dataset that the server refused or that were changed elsewhere, and brings their records back. Of one that is before
 * one's eyes its record tells.
 */
export const useTroubleNotice = ({ queue }: Pick<Annotation, 'queue'>, datasetId: string): void => {
  const { t } = useTranslation('features/annotate')
  const { lines } = useOutbox()
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const told = useToldTroubles()
  const here = [...lines.values()].filter((line) => line.dataset_id === datasetId && line.trouble !== null)
  const seen = here.filter((line) => told.has(nameOfTrouble(line)))
  const seenKind = seen[0]?.trouble?.kind ?? null
  useHeard(seen.map(nameOfTrouble), {
    one: seenKind && t(`trouble.${seenKind}`),
    several: seen.every(({ trouble }) => trouble?.kind === 'refused') ? t('trouble.someRefused') : null,
  })
  const troubled = here.filter((line) => !told.has(nameOfTrouble(line)) && !closed.has(nameOfTrouble(line)))
  const [first] = troubled
  const name = first ? nameOfTrouble(first) : null
  const recordId = first?.record_id ?? null
  const isMany = troubled.filter(({ trouble }) => trouble?.kind === 'refused').length > 1
  const kind = first?.trouble?.kind ?? null
  const words = kind === 'refused' && isMany ? 'someRefused' : kind
  useEffect(() => {
    if (name === null || recordId === null || words === null) return
    const show = async (): Promise<void> => {
      const card = cardOf(recordId)
      if (card) return card.scrollIntoView({ block: 'nearest' })
      const known = queue.find(recordId)?.record
      try {
        queue.bring(known ?? (await fetchRecord(recordId)))
      } catch (error) {
        // The record itself is gone, and only its answer can be shown.
        if (isUnknownDataset(error)) askAboutStuckAnswers(recordId)
        else toastProblem(error)
      }
    }
    let isOver = false
    const notice = toast({
      text: t(`trouble.${words}`),
      kind: 'danger',
      permanent: true,
      inFlow: true,
      key: 'trouble',
      button: { label: t('trouble.show'), onClick: () => void show() },
      onClose: () => {
        if (!isOver) setClosed((before) => new Set([...before, name]))
      },
    })
    return () => {
      isOver = true
      closeToast(notice)
    }
  }, [name, recordId, words, queue, t])
}
