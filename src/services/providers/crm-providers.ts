import type { CrmProvider } from './crm.ts';
import { hubSpot } from './hubspot.ts';
import { ProviderFailure } from './provider-request.ts';

/**
 * Returns a function that opens the CRM of an integration.
 * @throws ProviderFailure (that function) if Parley does not know the provider, or a credential is missing
 */
export function crmProviders({ hubSpotUrl }: { readonly hubSpotUrl: string }) {
  return (provider: string, credentials: Readonly<Record<string, string>>): CrmProvider => {
    if (provider.toLowerCase() !== 'hubspot')
      throw new ProviderFailure(
        `Parley cannot call the CRM ${provider.slice(0, 100)}. The provider that it knows is hubspot.`,
      );
    const accessToken = credentials['accessToken'];
    if (!accessToken)
      throw new ProviderFailure(
        'The integration has no credential accessToken, that of a private app of HubSpot.',
      );
    return hubSpot(hubSpotUrl, accessToken);
  };
}
