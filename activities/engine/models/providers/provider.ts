import type { VendorName, VendorValues } from '../../../../contracts/models/vendors';
import type { LanguageModel } from '../../../../contracts/model-port/language-model';

/** One model of a vendor, before its settings are read. */
export interface ModelAddress<Vendor extends VendorName> {
  vendor: Vendor;
  /** `vendor/model`, for messages. */
  name: string;
  /** The vendor's own name of the model. */
  model: string;
  /** Reads the settings at the first call. Throws a ProviderError where a required one is missing. */
  settings: () => VendorValues<Vendor>;
}

/** How the models of one vendor are called. */
export interface Provider<Vendor extends VendorName> {
  /** Loads the vendor's packages. Loading at a worker's start keeps the first call from blocking its process. */
  load(): Promise<unknown>;
  connect(address: ModelAddress<Vendor>): LanguageModel['generate'];
}
