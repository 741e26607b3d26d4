// SPDX-License-Identifier: GPL-2.0
/*
 * What has gone through a FIFO and what has not, as files of /sys/class/hocket/hocket!fifoN.
 *
 *   records, lost, lost_bytes, corrupted          of this side, since the module was loaded
 *   loops_records, loops_lost, …                  as published by the loops' side
 */
#include <linux/device.h>
#include <linux/stddef.h>
#include <linux/sysfs.h>

#include "hocket.h"

struct counter {
	struct device_attribute attribute;
	bool loops;
	size_t offset; /* in what the side tells of itself */
};

static const struct hocket_fifo_line *line_of(struct hocket_fifo *fifo, bool loops)
{
	if (!loops)
		return fifo->own;
	return hocket_fifo_to_linux(fifo->number) ? fifo->reader.other : fifo->writer.other;
}

static ssize_t show(struct device *device, struct device_attribute *attribute, char *text)
{
	const struct counter *counter = container_of(attribute, struct counter, attribute);
	const char *line = (const char *)line_of(dev_get_drvdata(device), counter->loops);

	return sysfs_emit(text, "%u\n",
			  hocket_fifo_look((const uint32_t *)(line + counter->offset)));
}

#define COUNTER(name, is_loops, field)                                                             \
	static struct counter counter_##name = {                                                   \
		.attribute = __ATTR(name, 0444, show, NULL),                                       \
		.loops = is_loops,                                                                 \
		.offset = offsetof(struct hocket_fifo_line, field),                                \
	}
COUNTER(records, false, done);
COUNTER(lost, false, lost);
COUNTER(lost_bytes, false, lost_bytes);
COUNTER(corrupted, false, corrupted);
COUNTER(loops_records, true, done);
COUNTER(loops_lost, true, lost);
COUNTER(loops_lost_bytes, true, lost_bytes);
COUNTER(loops_corrupted, true, corrupted);

static struct attribute *attributes[] = {
	&counter_records.attribute.attr,
	&counter_lost.attribute.attr,
	&counter_lost_bytes.attribute.attr,
	&counter_corrupted.attribute.attr,
	&counter_loops_records.attribute.attr,
	&counter_loops_lost.attribute.attr,
	&counter_loops_lost_bytes.attribute.attr,
	&counter_loops_corrupted.attribute.attr,
	NULL,
};

static const struct attribute_group group = {.attrs = attributes};

const struct attribute_group *hocket_counter_groups[] = {&group, NULL};
