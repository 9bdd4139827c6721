export { type DeliveryOptions, startDelivery } from './delivery.ts'
