import type { Webhook } from '@postil/contract/webhooks.ts'
import { useId, useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { Button } from '#ui/controls/Button.tsx'
import { CopyButton } from '#ui/controls/CopyButton.tsx'
import { IconButton } from '#ui/controls/IconButton.tsx'
import { Switch } from '#ui/controls/Switch.tsx'
import { ChevronDownIcon, ChevronRightIcon, EditIcon, MoreIcon, TrashIcon, UndoIcon } from '#ui/marks/icons.tsx'
import { Pill } from '#ui/marks/Pill.tsx'
import { Menu } from '#ui/overlays/Menu.tsx'
import { MenuItem } from '#ui/overlays/MenuItems.tsx'
import { announce } from '#ui/telling/announcer.ts'
import { forgetDone, tellDone } from '#ui/telling/done.ts'
import { ProblemText } from '#ui/telling/ProblemNotice.tsx'
import { toastProblem } from '#ui/telling/toast.ts'
import { useDeed } from '../../use-deed.ts'
import type { WebhookCalls } from '../../webhooks-api.ts'
import styles from '../AdministrationPage.module.css'
import { FormDialog } from '../FormDialog.tsx'
import { Deliveries } from './Deliveries.tsx'
import { WebhookDialog } from './WebhookDialog.tsx'

type Asked = 'edit' | 'secret' | 'delete'
type Props = { readonly webhook: Webhook; readonly calls: WebhookCalls }

/** A webhook: on or off, its secret, what can be done with it, and what became of its events. */
export const WebhookRow = ({ webhook, calls }: Props) => {
  const { t } = useTranslation('features/administration')
  const id = useId()
  const named = `${id}-name`
  const [isOpen, setOpen] = useState(false)
  const [asked, setAsked] = useState<Asked | null>(null)
  const close = (): void => setAsked(null)
  // Shown at once; what is stored is shown again when it could not be changed.
  const [wanted, setWanted] = useState<boolean | null>(null)
  const ping = useDeed()
  /** The status that a test was answered with, where it is no success. */
  const [answered, setAnswered] = useState<number | null>(null)
  const forgetPing = (): void => {
    ping.forget()
    setAnswered(null)
  }
  const { url } = webhook
  const ask = (what: Asked): void => {
    forgetPing()
    setAsked(what)
  }
  const turn = (enabled: boolean): void => {
    forgetDone()
    forgetPing()
    setWanted(enabled)
    calls
      .update(webhook.id, { enabled })
      .then(() => announce(enabled ? t('webhooks.isOn', { url }) : t('webhooks.isOff', { url })), toastProblem)
      .finally(() => setWanted(null))
  }
  const test = async (): Promise<void> => {
    setAnswered(null)
    await ping.run(async () => {
      const status = await calls.ping(webhook.id)
      if (status === null || (status >= 200 && status < 300)) tellDone(t('webhooks.pinged', { url }))
      else setAnswered(status)
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
        <Switch label={t('webhooks.enabled')} of={named} checked={wanted ?? webhook.enabled} onChange={turn} />
        <Menu align="end" trigger={<IconButton icon={MoreIcon} label={t('webhooks.menu', { url })} />}>
          <MenuItem icon={EditIcon} onSelect={() => ask('edit')}>
            {t('webhooks.edit')}
          </MenuItem>
          <MenuItem icon={UndoIcon} onSelect={() => ask('secret')}>
            {t('webhooks.newSecret')}
          </MenuItem>
          <MenuItem icon={TrashIcon} onSelect={() => ask('delete')}>
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
      {answered !== null && (
        <p className={styles['fault']} role="alert">
          {t('webhooks.pingAnswered', { url, status: answered })}
        </p>
      )}
      <div id={id} hidden={!isOpen}>
        {isOpen && <Deliveries webhook={webhook} calls={calls} />}
      </div>
      {asked === 'edit' && (
        <WebhookDialog
          webhook={webhook}
          send={async (form) => {
            await calls.update(webhook.id, form)
          }}
          onClose={close}
        />
      )}
      {asked === 'secret' && (
        <Confirm
          title={t('webhooks.newSecretTitle')}
          explain={t('webhooks.newSecretExplain')}
          verb={t('webhooks.newSecret')}
          run={async () => {
            await calls.newSecret(webhook.id)
            tellDone(t('webhooks.hasNewSecret', { url }))
          }}
          onClose={close}
        />
      )}
      {asked === 'delete' && (
        <Confirm
          look="danger"
          title={t('webhooks.deleteTitle')}
          explain={t('webhooks.deleteExplain', { url })}
          verb={t('webhooks.deleteVerb')}
          run={async () => {
            await calls.remove(webhook.id)
            tellDone(t('webhooks.isDeleted', { url }))
          }}
          onClose={close}
        />
      )}
    </li>
  )
}

type ConfirmProps = {
  readonly title: string
  readonly explain: string
  readonly verb: string
  readonly look?: 'primary' | 'danger'
  readonly run: () => Promise<void>
  readonly onClose: () => void
}

const Confirm = ({ title, explain, verb, look = 'primary', run, onClose }: ConfirmProps) => {
  const deed = useDeed()
  const go = async (): Promise<void> => {
    if (await deed.run(run)) onClose()
  }
  return (
    <FormDialog
      title={title}
      verb={verb}
      look={look}
      busy={deed.busy}
      problem={deed.problem}
      onSubmit={() => void go()}
      onClose={onClose}
    >
      <p>{explain}</p>
    </FormDialog>
  )
}
