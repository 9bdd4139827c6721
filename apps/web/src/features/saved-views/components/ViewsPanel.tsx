import type { AnnotationQuery } from '@postil/contract/annotation-query/grammar.ts'
import type { SavedView } from '@postil/contract/saved-views.ts'
import { maxSavedViews } from '@postil/contract/wire/limits.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState } from 'react'
import { useUser } from '#features/auth/public.ts'
import { currentLanguage } from '#i18n/texts.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { problemMessage } from '#lib/api/messages.ts'
import { Button } from '#ui/controls/Button.tsx'
import { announce } from '#ui/feedback/announcer.ts'
import { Notice } from '#ui/feedback/Notice.tsx'
import { Skeleton } from '#ui/loading/Skeleton.tsx'
import { PlusIcon } from '#ui/marks/icons.tsx'
import { viewsQuery } from '../api.ts'
import { viewQueryOf } from '../view-query.ts'
import { SaveForm } from './SaveForm.tsx'
import { ViewItem } from './ViewItem.tsx'
import styles from './ViewsPanel.module.css'

type Props = { readonly datasetId: string; readonly query: AnnotationQuery }

const byName = (views: readonly SavedView[]): readonly SavedView[] =>
  views.toSorted((a, b) => a.name.localeCompare(b.name, currentLanguage(), { numeric: true }))

export const ViewsPanel = ({ datasetId, query }: Props) => {
  const { t } = useTranslation('features/saved-views')
  const user = useUser()
  const { data: views, error } = useQuery(viewsQuery(datasetId))
  const [isSaving, setSaving] = useState(false)
  const [next, setNext] = useState<{ readonly id: string | null } | null>(null)
  const root = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // The focused element is gone, so the focus moves to the view's link, or to the whole list.
    if (next === null || !root.current) return
    const link = next.id === null ? null : root.current.querySelector<HTMLElement>(`[data-view="${next.id}"]`)
    ;(link ?? root.current).focus()
  }, [next])

  if (error) return <Notice kind="danger">{problemMessage(error)}</Notice>
  if (!views) return <Skeleton height="6lh" />
  const shown = viewQueryOf(query)
  const ownViews = views.filter((view) => view.user.id === user.id)
  const groups = [
    { key: 'own' as const, views: byName(ownViews) },
    { key: 'shared' as const, views: byName(views.filter((view) => view.user.id !== user.id)) },
  ].filter((group) => group.views.length > 0)

  const list = groups.map((group) => (
    <Group key={group.key} title={t(`group.${group.key}`)}>
      {group.views.map((view) => (
        <li key={view.id} className={styles['item']}>
          <ViewItem
            datasetId={datasetId}
            view={view}
            isOwn={group.key === 'own'}
            canChange={group.key === 'own' || user.role !== 'annotator'}
            query={shown}
            onDone={(id) => setNext({ id })}
          />
        </li>
      ))}
    </Group>
  ))
  return (
    <div ref={root} tabIndex={-1} className={styles['views']}>
      <div className={styles['list']}>{groups.length === 0 ? <p className={styles['none']}>{t('none')}</p> : list}</div>
      <div className={styles['foot']}>
        {ownViews.length >= maxSavedViews ? (
          <p className={styles['none']}>{t('full', { count: maxSavedViews })}</p>
        ) : isSaving ? (
          <SaveForm
            datasetId={datasetId}
            query={shown}
            onCancel={() => {
              setSaving(false)
              setNext({ id: null })
            }}
            onSaved={(view) => {
              setSaving(false)
              setNext({ id: view.id })
              announce(t('saved', { name: view.name }))
            }}
          />
        ) : (
          <Button look="quiet" icon={PlusIcon} className={styles['add']} onClick={() => setSaving(true)}>
            {t('saveShown')}
          </Button>
        )}
      </div>
    </div>
  )
}

const Group = ({ title, children }: { readonly title: string; readonly children: React.ReactNode }) => {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className={styles['groupTitle']}>
        {title}
      </h2>
      <ul>{children}</ul>
    </section>
  )
}
