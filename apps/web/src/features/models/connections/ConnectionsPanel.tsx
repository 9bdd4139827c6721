import type { ModelCheck, ModelConnection } from '@postil/contract/model-connections.ts'
import { useState } from 'react'
import { FailureReason } from '#features/jobs/public.ts'
import { Panel } from '#features/overview/public.ts'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { Button } from '#ui/controls/Button.tsx'
import { FormDialog } from '#ui/overlays/FormDialog.tsx'
import { useModels } from '../context.ts'
import styles from '../models.module.css'
import { useAction } from '../use-action.ts'
import { ConnectionDialog } from './ConnectionDialog.tsx'

type Open = { readonly kind: 'edit' | 'delete'; readonly connection: ModelConnection }

/** The connections of the dataset's workspace. */
export const ConnectionsPanel = ({ onAdd }: { readonly onAdd: () => void }) => {
  const { t } = useTranslation('features/models')
  const { connections } = useModels()
  const [open, setOpen] = useState<Open | null>(null)
  return (
    <Panel
      title={t('connections.title')}
      hint={t('connections.hint')}
      sheet={null}
      tools={<Button onClick={onAdd}>{t('connections.add')}</Button>}
    >
      {connections.length === 0 && <p className={styles['hint']}>{t('localHint')}</p>}
      <ul className={styles['list']}>
        {connections.map((connection) => (
          <ConnectionRow key={connection.id} connection={connection} onOpen={(kind) => setOpen({ kind, connection })} />
        ))}
      </ul>
      {open?.kind === 'edit' && <ConnectionDialog connection={open.connection} onClose={() => setOpen(null)} />}
      {open?.kind === 'delete' && <DeleteDialog connection={open.connection} onClose={() => setOpen(null)} />}
    </Panel>
  )
}

type RowProps = { readonly connection: ModelConnection; readonly onOpen: (kind: Open['kind']) => void }

const ConnectionRow = ({ connection, onOpen }: RowProps) => {
  const { t } = useTranslation('features/models')
  const { calls } = useModels()
  const { busy, run } = useAction()
  const [found, setFound] = useState<ModelCheck | null>(null)
  const { id, name, model, base_url, has_key } = connection
  const check = () =>
    run(async () => {
      setFound(null)
      setFound(await calls.checkConnection(id))
    })
  return (
    <li className={styles['row']}>
      <div className={styles['words']}>
        <h3 className={styles['name']}>
          <bdi>{name}</bdi>
        </h3>
        <p className={styles['hint']}>
          <bdi>{model}</bdi> · <bdi>{base_url}</bdi> · {has_key ? t('connections.withKey') : t('connections.withoutKey')}
        </p>
        <p role="status" className={styles['status']} data-kind={found?.answer === null ? 'danger' : 'good'}>
          {found !== null &&
            (found.answer === null ? (
              <FailureReason of={found}>{(reason) => reason}</FailureReason>
            ) : (
              t('connections.answered', { ms: formatCount(found.ms) })
            ))}
        </p>
      </div>
      <div className={styles['actions']}>
        <Button busy={busy} aria-label={t('connections.checkOf', { name })} onClick={() => void check()}>
          {t('connections.check')}
        </Button>
        <Button aria-label={t('connections.editOf', { name })} onClick={() => onOpen('edit')}>
          {t('edit')}
        </Button>
        <Button look="quiet" aria-label={t('connections.deleteOf', { name })} onClick={() => onOpen('delete')}>
          {t('delete')}
        </Button>
      </div>
    </li>
  )
}

const DeleteDialog = ({
  connection: { id, name },
  onClose,
}: {
  readonly connection: ModelConnection
  readonly onClose: () => void
}) => {
  const { t } = useTranslation('features/models')
  const { calls } = useModels()
  const { busy, run } = useAction()
  const remove = async (): Promise<void> => {
    if (await run(() => calls.deleteConnection(id))) onClose()
  }
  return (
    <FormDialog
      title={t('connections.deleteTitle', { name })}
      submitLabel={t('delete')}
      look="danger"
      busy={busy}
      onSubmit={() => void remove()}
      onClose={onClose}
    >
      <p>{t('connections.deleteHint')}</p>
    </FormDialog>
  )
}
