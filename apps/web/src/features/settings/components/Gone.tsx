import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { toast } from '#ui/telling/toast.ts'
import { forgetAtHome } from '../api.ts'
import styles from './SettingsPage.module.css'

/** Somebody has deleted the dataset while it was looked at: there is nothing left to set, and home says so. */
export const Gone = ({ id, name }: { readonly id: string; readonly name: string }) => {
  const { t } = useTranslation('features/settings')
  const client = useQueryClient()
  const navigate = useNavigate()
  useEffect(() => {
    toast({ text: t('gone', { name }), kind: 'warning', key: 'gone' })
    forgetAtHome(client, id)
    void navigate({ to: '/', replace: true, ignoreBlocker: true })
  }, [client, navigate, t, id, name])
  return <main id="main" tabIndex={-1} className={styles['page']} aria-busy="true" />
}
