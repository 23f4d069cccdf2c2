// Lets the machine sleep and wake, which QEMU's devices are not made for.
//
// The kernel's 9p, where the root is, cannot be frozen and would come back deaf, so the virtual devices are
// left awake. A PC's battery clock wakes it from suspend-to-idle by an event of ACPI, which QEMU sends
// only to deeper sleep; here the clock's interrupt does it.
#include <linux/device.h>
#include <linux/interrupt.h>
#include <linux/module.h>
#include <linux/pci.h>

enum { virtio_vendor = 0x1af4, battery_clock_interrupt = 8 };

static int __init awake_init(void) {
  struct pci_dev *device = NULL;
  while ((device = pci_get_device(virtio_vendor, PCI_ANY_ID, device)) != NULL)
    dev_pm_syscore_device(&device->dev, true);
#ifdef CONFIG_X86
  return enable_irq_wake(battery_clock_interrupt);
#else
  return 0;
#endif
}

module_init(awake_init);
MODULE_DESCRIPTION("Lets a virtual machine suspend");
MODULE_LICENSE("Dual MIT/GPL");
