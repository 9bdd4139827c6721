import { addressOf } from '@postil/contract/annotation-query/view-query.ts'
import type { SavedView } from '@postil/contract/saved-views.ts'
import { useRouter } from '@tanstack/react-router'
import type { MouseEvent } from 'react'
import { useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { Button } from '#ui/controls/Button.tsx'
import { IconButton } from '#ui/controls/IconButton.tsx'
import { announce } from '#ui/feedback/announcer.ts'
import { toastProblem } from '#ui/feedback/toast.ts'
import { CheckIcon, EditIcon, MoreIcon, SaveIcon, TrashIcon, UserIcon } from '#ui/marks/icons.tsx'
import { Menu } from '#ui/overlays/Menu.tsx'
import { MenuItem } from '#ui/overlays/MenuItems.tsx'
import { useMissingName, useNameFault, useViews } from '../use-views.ts'
import { normalViewQuery } from '../view-query.ts'
import { NameInput } from './NameInput.tsx'
import styles from './ViewsPanel.module.css'

type Props = {
  readonly datasetId: string
  readonly view: SavedView
  readonly isOwn: boolean
  readonly canChange: boolean
  /** The current search in the format that views store. */
  readonly query: string
  /** Called when renaming or deleting ends. The focus moves to the view with this ID, or to the list if the ID is null. */
  readonly onDone: (id: string | null) => void
}

/** A view: a link to its search, and its actions. */
export const ViewItem = (props: Props) => {
  const [mode, setMode] = useState<'shown' | 'renamed' | 'deleted'>('shown')
  const back = (id: string | null): void => {
    setMode('shown')
    props.onDone(id)
  }
  if (mode === 'renamed') return <Rename {...props} onDone={back} />
  if (mode === 'deleted') return <Delete {...props} onDone={back} />
  return <ViewRow {...props} onMode={setMode} />
}

/**
 * A plain link, so that it can be copied and opened in a new tab. The router's `Link` would mark the current page, not the
 * current view.
 */
const useViewLink = (datasetId: string, view: SavedView) => {
  const router = useRouter()
  const to = {
    to: '/dataset/$datasetId/annotation-mode' as const,
    params: { datasetId },
    search: addressOf(view.query),
  }
  return {
    href: router.buildLocation(to).href,
    onClick: (event: MouseEvent<HTMLElement>): void => {
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
      event.preventDefault()
      event.currentTarget.closest<HTMLElement>('[popover]')?.hidePopover()
      void router.navigate(to)
    },
  }
}

type ShownProps = Props & { readonly onMode: (mode: 'renamed' | 'deleted') => void }

const ViewRow = ({ datasetId, view, isOwn, canChange, query, onMode }: ShownProps) => {
  const { t } = useTranslation('features/saved-views')
  const { update } = useViews(datasetId)
  const link = useViewLink(datasetId, view)
  const isCurrent = normalViewQuery(view.query) === query
  const change = (body: { query?: string; shared?: boolean }, words: string): void =>
    update.mutate({ id: view.id, ...body }, { onSuccess: () => announce(words), onError: toastProblem })
  const note = isOwn ? (view.shared ? t('sharedByMe') : null) : t('by', { name: view.user.username })
  return (
    <>
      <a {...link} data-view={view.id} className={styles['link']} aria-current={isCurrent ? 'true' : undefined}>
        <span className={styles['mark']}>{isCurrent && <CheckIcon />}</span>
        <span className={styles['words']}>
          <bdi>{view.name}</bdi>
          {note && <span className={styles['note']}>{note}</span>}
        </span>
      </a>
      {canChange && (
        <Menu align="end" trigger={<IconButton icon={MoreIcon} label={t('more', { name: view.name })} />}>
          <MenuItem icon={EditIcon} onSelect={() => onMode('renamed')}>
            {t('rename')}
          </MenuItem>
          <MenuItem icon={SaveIcon} disabled={isCurrent} onSelect={() => change({ query }, t('updated', { name: view.name }))}>
            {t('update')}
          </MenuItem>
          {isOwn && (
            <MenuItem
              icon={UserIcon}
              onSelect={() =>
                change(
                  { shared: !view.shared },
                  view.shared ? t('isUnshared', { name: view.name }) : t('isShared', { name: view.name }),
                )
              }
            >
              {view.shared ? t('unshare') : t('share')}
            </MenuItem>
          )}
          <MenuItem icon={TrashIcon} onSelect={() => onMode('deleted')}>
            {t('delete')}
          </MenuItem>
        </Menu>
      )}
    </>
  )
}

const Rename = ({ datasetId, view, onDone }: Props) => {
  const { t } = useTranslation('features/saved-views')
  const { update } = useViews(datasetId)
  const [name, setName] = useState(view.name)
  const missing = useMissingName()
  const fault = useNameFault(update.error, missing.isMissing)
  return (
    <form
      className={styles['form']}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (missing.exists(name, event.currentTarget) && !update.isPending)
          update.mutate({ id: view.id, name: name.trim() }, { onSuccess: () => onDone(view.id) })
      }}
    >
      <NameInput
        name={name}
        fault={fault}
        onChange={(typed) => {
          setName(typed)
          missing.forget()
          update.reset()
        }}
      />
      <div className={styles['actions']}>
        <Button onClick={() => onDone(view.id)}>{t('cancel')}</Button>
        <Button type="submit" look="primary" busy={update.isPending}>
          {t('rename')}
        </Button>
      </div>
    </form>
  )
}

const Delete = ({ datasetId, view, onDone }: Props) => {
  const { t } = useTranslation('features/saved-views')
  const { remove } = useViews(datasetId)
  const submit = (): void =>
    remove.mutate(view.id, {
      onSuccess: () => {
        announce(t('deleted', { name: view.name }))
        onDone(null)
      },
    })
  return (
    <div className={styles['form']}>
      <p>{view.shared ? t('deleteShared', { name: view.name }) : t('deleteOwn', { name: view.name })}</p>
      <div className={styles['actions']}>
        <Button autoFocus onClick={() => onDone(view.id)}>
          {t('cancel')}
        </Button>
        <Button look="danger" busy={remove.isPending} onClick={submit}>
          {t('delete')}
        </Button>
      </div>
    </div>
  )
}
