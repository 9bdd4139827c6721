import type { Webhook } from '@postil/contract/webhooks.ts'
import { useId, useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { Button } from '#ui/controls/Button.tsx'
import { CopyButton } from '#ui/controls/CopyButton.tsx'
import { IconButton } from '#ui/controls/IconButton.tsx'
import { Switch } from '#ui/controls/Switch.tsx'
import { announce } from '#ui/feedback/announcer.ts'
import { ProblemText } from '#ui/feedback/ProblemNotice.tsx'
import { clearSuccess, showSuccess } from '#ui/feedback/success-toast.ts'
import { toastProblem } from '#ui/feedback/toast.ts'
import { ChevronDownIcon } from '#ui/marks/first-icons.tsx'
import { ChevronRightIcon, EditIcon, MoreIcon, TrashIcon, UndoIcon } from '#ui/marks/icons.tsx'
import { Pill } from '#ui/marks/Pill.tsx'
import { FormDialog } from '#ui/overlays/FormDialog.tsx'
import { Menu } from '#ui/overlays/Menu.tsx'
import { MenuItem } from '#ui/overlays/MenuItems.tsx'
import { useAsyncAction } from '../../use-async-action.ts'
import type { WebhookCalls } from '../../webhooks-api.ts'
import styles from '../AdministrationPage.module.css'
import { Deliveries } from './Deliveries.tsx'
import { WebhookDialog } from './WebhookDialog.tsx'

type OpenDialog = 'edit' | 'secret' | 'delete'
type Props = { readonly webhook: Webhook; readonly calls: WebhookCalls }

export const WebhookRow = ({ webhook, calls }: Props) => {
  const { t } = useTranslation('features/administration')
  const id = useId()
  const named = `${id}-name`
  const [isOpen, setOpen] = useState(false)
  const [openDialog, setOpenDialog] = useState<OpenDialog | null>(null)
  const close = (): void => setOpenDialog(null)
  // The switch changes at once and returns to the stored value if the change fails.
  const [requestedState, setRequestedState] = useState<boolean | null>(null)
  const ping = useAsyncAction()
  /** The status code of the response to the last test delivery, if it was an error. Otherwise null. */
  const [pingResult, setPingResult] = useState<number | null>(null)
  const clearPing = (): void => {
    ping.clearProblem()
    setPingResult(null)
  }
  const { url } = webhook
  const openConfirm = (what: OpenDialog): void => {
    clearPing()
    setOpenDialog(what)
  }
  const toggle = (enabled: boolean): void => {
    clearSuccess()
    clearPing()
    setRequestedState(enabled)
    calls
      .update(webhook.id, { enabled })
      .then(() => announce(enabled ? t('webhooks.isOn', { url }) : t('webhooks.isOff', { url })), toastProblem)
      .finally(() => setRequestedState(null))
  }
  const test = async (): Promise<void> => {
    setPingResult(null)
    await ping.run(async () => {
      const status = await calls.ping(webhook.id)
      if (status === null || (status >= 200 && status < 300)) showSuccess(t('webhooks.pinged', { url }))
      else setPingResult(status)
    })
  }
  return (
    <li className={styles['webhook']} data-away={webhook.enabled ? undefined : ''}>
      <div className={styles['row']}>
        <div className={styles['who']}>
          <span id={named} className={styles['name']}>
            <bdi>{url}</bdi>
          </span>
          {webhook.description && <bdi className={styles['names']}>{webhook.description}</bdi>}
        </div>
        <Switch label={t('webhooks.enabled')} of={named} checked={requestedState ?? webhook.enabled} onChange={toggle} />
        <Menu align="end" trigger={<IconButton icon={MoreIcon} label={t('webhooks.menu', { url })} />}>
          <MenuItem icon={EditIcon} onSelect={() => openConfirm('edit')}>
            {t('webhooks.edit')}
          </MenuItem>
          <MenuItem icon={UndoIcon} onSelect={() => openConfirm('secret')}>
            {t('webhooks.newSecret')}
          </MenuItem>
          <MenuItem icon={TrashIcon} onSelect={() => openConfirm('delete')}>
            {t('webhooks.delete')}
          </MenuItem>
        </Menu>
      </div>
      <div className={styles['events']}>
        {webhook.events.map((event) => (
          <Pill key={event}>{event}</Pill>
        ))}
      </div>
      <div className={styles['deeds']}>
        <Button
          look="quiet"
          icon={isOpen ? ChevronDownIcon : ChevronRightIcon}
          aria-expanded={isOpen}
          aria-controls={id}
          aria-describedby={named}
          onClick={() => setOpen(!isOpen)}
        >
          {t('webhooks.deliveries')}
        </Button>
        <Button look="quiet" busy={ping.busy} aria-describedby={named} onClick={() => void test()}>
          {t('webhooks.ping')}
        </Button>
        <span className={styles['secret']}>
          {t('webhooks.secret')}
          <CopyButton label={t('webhooks.copySecret', { url })} text={webhook.secret} />
        </span>
      </div>
      {ping.problem !== null && (
        <p className={styles['fault']}>
          <ProblemText error={ping.problem} isAlert />
        </p>
      )}
      {pingResult !== null && (
        <p className={styles['fault']} role="alert">
          {t('webhooks.pingAnswered', { url, status: pingResult })}
        </p>
      )}
      <div id={id} hidden={!isOpen}>
        {isOpen && <Deliveries webhook={webhook} calls={calls} />}
      </div>
      {openDialog === 'edit' && (
        <WebhookDialog
          webhook={webhook}
          send={async (form) => {
            await calls.update(webhook.id, form)
          }}
          onClose={close}
        />
      )}
      {openDialog === 'secret' && (
        <Confirm
          title={t('webhooks.newSecretTitle')}
          explanation={t('webhooks.newSecretExplain')}
          confirmLabel={t('webhooks.newSecret')}
          run={async () => {
            await calls.newSecret(webhook.id)
            showSuccess(t('webhooks.hasNewSecret', { url }))
          }}
          onClose={close}
        />
      )}
      {openDialog === 'delete' && (
        <Confirm
          look="danger"
          title={t('webhooks.deleteTitle')}
          explanation={t('webhooks.deleteExplain', { url })}
          confirmLabel={t('webhooks.deleteVerb')}
          run={async () => {
            await calls.remove(webhook.id)
            showSuccess(t('webhooks.isDeleted', { url }))
          }}
          onClose={close}
        />
      )}
    </li>
  )
}

type ConfirmProps = {
  readonly title: string
  readonly explanation: string
  readonly confirmLabel: string
  readonly look?: 'primary' | 'danger'
  readonly run: () => Promise<void>
  readonly onClose: () => void
}

const Confirm = ({ title, explanation, confirmLabel, look = 'primary', run, onClose }: ConfirmProps) => {
  const action = useAsyncAction()
  const go = async (): Promise<void> => {
    if (await action.run(run)) onClose()
  }
  return (
    <FormDialog
      title={title}
      submitLabel={confirmLabel}
      look={look}
      busy={action.busy}
      problem={action.problem}
      onSubmit={() => void go()}
      onClose={onClose}
    >
      <p>{explanation}</p>
    </FormDialog>
  )
}
