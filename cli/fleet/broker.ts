import { openBroker, Signer } from '../../fleet/index.ts';
import type { Broker } from '../../fleet/index.ts';
import type { Settings } from '../options/table.ts';

export type BrokerSettings = Settings<'fleet' | 'fleetPassword' | 'fleetKey' | 'insecureFleet' | 'baseUrl'>;

export interface OpenFleet {
  readonly broker: Broker;
  readonly signer: Signer;
}

export async function connectBroker(
  url: string,
  { fleetPassword: password, fleetKey }: Pick<BrokerSettings, 'fleetPassword' | 'fleetKey'>,
): Promise<OpenFleet> {
  return { broker: await openBroker({ url, password }), signer: new Signer(fleetKey) };
}
